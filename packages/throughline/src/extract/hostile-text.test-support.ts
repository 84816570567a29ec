/** Texts that stall readers with more than linear time, or break careless ones. */
import { trialSizes } from './trial-sizes.test-support.ts'

const { hostileCharacters } = trialSizes

function filled(piece: string): string {
  return piece.repeat(Math.ceil(hostileCharacters / piece.length))
}

export const hostileTexts: Readonly<Record<string, string>> = {
  'one letter': filled('a'),
  'one digit': filled('7'),
  spaces: filled(' '),
  'line breaks': filled('\n'),
  'spaces and line breaks': filled(' \n'),
  tabs: filled('\t'),
  dots: filled('.'),
  hyphens: filled('-'),
  slashes: filled('/'),
  backslashes: filled('\\'),
  quotes: filled('"'),
  stars: filled('*'),
  'low lines': filled('_'),
  backticks: filled('`'),
  colons: filled(':'),
  pluses: filled('+'),
  'number signs': filled('#'),
  'at signs': filled('@'),
  'nested brackets': `${'['.repeat(hostileCharacters / 2)}${']'.repeat(hostileCharacters / 2)}`,
  'deep JSON': `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`,
  'deep JSON with an output': `{"output":${'['.repeat(10_000)}${']'.repeat(10_000)},"exit_code":0}`,
  'a replacement pattern': filled('$& $1 $` '),
  'a prototype': '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}',
  'lone surrogates': filled('\ud83d \udc00a.'),
  'null characters': filled('\u0000a'),
  'errors that are none': filled('no error 0 errors '),
  'words for errors': filled('error failed '),
  'lines of words for errors': filled('the error failed here\n'),
  'exit codes': filled('exit code exit with code '),
  'many sentences': filled('You must never do it. '),
  'many lines of sentences': filled('We should all say it again and again\n'),
  'words in capitals': filled('Ada Lovelace '),
  'words with hyphens': filled('a-b-c_d-1'),
  'marks and letters': filled('a.'),
  'low lines and letters': filled('a_'),
  'addresses without end': filled('http://a'),
  'drives without end': filled('C:\\'),
  'numbers of lines': filled('160→fooBar\n'),
  'open tags': filled('<output>'),
  'result tags': filled('<returncode>1</returncode>\n<output>'),
  'open fences': filled('```bash\n'),
  'here documents': filled('<<EOF\n'),
  'here documents in one line': filled('<<A '),
  'shell operators': filled('a>b;c|d&'),
  'changes of folder': filled('cd a&&'),
  'quotes of a shell': filled(`'"`),
  headers: filled('--- a\n+++ b\n'),
  'headers of patches': filled('*** Update File: a\n'),
  headings: filled('# a\n'),
  'bold marks': filled('**a'),
  'results of tests': filled('Tests  1 failed | 2 passed (3)\n'),
  'results of Go': filled('--- PASS: a\nok  \ta\t'),
  'one line of hits': filled('a/b.ts:1:'),
  'lines of hits': filled('a/b.ts:1:x\n'),
  'letters before an end': `${'a'.repeat(hostileCharacters)}!`,
  'Chinese without end': filled('必须使用'),
  'Chinese sentences': filled('必须使用。'),
}

export const codeOutlineBombs: Readonly<Record<string, string>> = {
  'exports without end': filled('export {'),
  'imports without end': filled('import a\n'),
  'words of code': filled('export const '),
}
