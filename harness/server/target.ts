/** The server of the moment; clients wait while there is none. */
export interface Target {
  readonly key: () => string
  readonly isOver: () => boolean
  url(): Promise<string>
}

export const conversations = ['left', 'right']
