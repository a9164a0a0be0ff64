export async function messagesBench(): Promise<void> {}
