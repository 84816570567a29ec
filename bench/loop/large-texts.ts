/** Texts of one large message: ordinary ones, and some that are hard to count, search or redact. */

export const largeTexts: Readonly<Record<string, (characters: number) => string>> = {
  English: lines((at) => `The ${at}th visitor of the house said that the garden was quiet today.`),
  code: lines((at) => `  const value${at} = await readFile(paths[${at}], { encoding: 'utf8' })`),
  logs: lines((at) => `2026-03-05T10:${at % 60}:07Z INFO worker-${at} took ${at * 7} ms`),
  'lone surrogates': lines((at) => `\ud83d value ${at} \ude00 of a broken text`),
  Chinese: lines((at) => `第${at}位来访者说今天花园里很安静，没有人说话。`),
  'JSON lines': lines((at) => JSON.stringify({ id: at, name: `user ${at}`, tags: ['a', 'b'] })),
  'names and keys': lines(
    (at) => `user${at}@example.com password=hunter${at} token: sk-${at}abcdef`,
  ),
  'one letter': (characters) => 'a'.repeat(characters),
  'random letters': randomLetters,
  spaces: (characters) => ' '.repeat(characters),
  'line ends': (characters) => '\n'.repeat(characters),
  'deep JSON': (characters) => {
    const depth = Math.floor(characters / 10)
    return `${'{"a":['.repeat(depth)}0${']}'.repeat(depth)}`
  },
}

function lines(line: (index: number) => string): (characters: number) => string {
  return (characters) => {
    const all: string[] = []
    for (let length = 0; length < characters; length += (all.at(-1)?.length ?? 0) + 1)
      all.push(line(all.length))
    return all.join('\n')
  }
}

function randomLetters(characters: number): string {
  let text = ''
  let number = 1
  while (text.length < characters) {
    number = (Math.imul(number, 1_103_515_245) + 12_345) & 0x7fffffff
    text += number.toString(36)
  }
  return text
}
