/** Reads a vocabulary of `gpt-tokenizer` where files can be read: its modules take five times as long. */

/** Null in a browser, in a bundle, and where the package is not installed. */
export async function readVocabularyFile(encoding: string): Promise<Uint8Array | null> {
  try {
    const { createRequire } = globalThis.process.getBuiltinModule('node:module')
    const { readFile } = globalThis.process.getBuiltinModule('node:fs/promises')
    const { resolve } = createRequire(import.meta.url)
    return await readFile(resolve(`gpt-tokenizer/data/${encoding}.tiktoken`))
  } catch {
    return null
  }
}
