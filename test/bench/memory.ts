export async function memoryBench(): Promise<void> {}
