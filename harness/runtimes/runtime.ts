/** A place where the program runs. */
export type Program = typeof import('./fit-case.ts')

export interface Runtime {
  readonly name: string
  run<Name extends keyof Program>(
    name: Name,
    ...args: Parameters<Program[Name]>
  ): ReturnType<Program[Name]>
  /** The files that were loaded so far; empty where the program is one script. */
  loaded(): readonly string[]
  problems(): readonly string[]
  stop(): Promise<void>
}
