/** What every session says and reads. */
export const system = 'You read files and answer briefly. '.repeat(20)
export const question = (turn: number) =>
  `What does the file number ${turn} export? Look closely. 😀`
export const resultOf = (turn: number) =>
  Array.from(
    { length: 120 },
    (_, line) => `export const value${turn}_${line} = ${turn * line}\n`,
  ).join('')
export const schema = {
  type: 'object' as const,
  properties: { path: { type: 'string' as const } },
  required: ['path'],
}
