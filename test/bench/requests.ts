export async function requestsBench(): Promise<void> {}
