/**
 * A command line in its simple commands, each in its words: as a shell cuts it, as far as
 * that needs no shell. One walk through the text; what a here document holds is passed over.
 */
export interface SimpleCommand {
  readonly words: readonly string[]
  readonly readsFrom: readonly string[]
  readonly writesTo: readonly string[]
  /** Where it begins in the text. */
  readonly at: number
}

interface Draft {
  words: string[]
  readsFrom: string[]
  writesTo: string[]
  at: number
}

const mostCommands = 200

export function simpleCommands(text: string): readonly SimpleCommand[] {
  const commands: SimpleCommand[] = []
  let draft = newDraft(0)
  let documents: string[] = []
  let into: 'words' | 'readsFrom' | 'writesTo' | 'document' = 'words'
  const end = (at: number) => {
    if (draft.words.length + draft.writesTo.length > 0) commands.push(draft)
    draft = newDraft(at)
    into = 'words'
  }
  let at = 0
  while (at < text.length && commands.length < mostCommands) {
    const letter = text[at] ?? ''
    if (letter === '\n') {
      at += 1
      for (const document of documents) at = afterDocument(text, at, document)
      documents = []
      end(at)
    } else if (letter === ' ' || letter === '\t' || letter === '\r') at += 1
    else if (letter === '#') at = endOfLine(text, at)
    else if (letter === ';' || letter === '|' || letter === '&') {
      at += 1
      // `&>` writes, and `>&` names no file.
      if (letter === '&' && text[at] === '>') continue
      end(at)
    } else if (letter === '<' || letter === '>') {
      const mark = /^(?:<<<|<<-?|<|>>|>\||>&|>)/.exec(text.slice(at, at + 3))?.[0] ?? letter
      at += mark.length
      into = letter === '>' ? 'writesTo' : mark.startsWith('<<') ? 'document' : 'readsFrom'
      if (mark === '<<<') into = 'readsFrom'
    } else {
      const [word, end] = wordAt(text, at)
      if (draft.words.length + draft.writesTo.length === 0 && into === 'words') draft.at = at
      at = end
      // `2>` says which output is meant, and is no word.
      if (/^\d$/.test(word) && /[<>]/.test(text[at] ?? '')) continue
      if (into === 'document') documents.push(word)
      else draft[into].push(word)
      into = 'words'
    }
  }
  end(at)
  return commands
}

function newDraft(at: number): Draft {
  return { words: [], readsFrom: [], writesTo: [], at }
}

/** A word ends at a space or an operator outside of quotes. */
function wordAt(text: string, from: number): readonly [word: string, end: number] {
  let word = ''
  let at = from
  while (at < text.length) {
    const letter = text[at] ?? ''
    if (letter === "'" || letter === '"') {
      const close = closing(text, at + 1, letter)
      word += text.slice(at + 1, close)
      at = close + 1
    } else if (letter === '\\') {
      word += text[at + 1] === '\n' ? '' : (text[at + 1] ?? '')
      at += 2
    } else if (breaks.has(letter)) break
    else {
      word += letter
      at += 1
    }
  }
  return [word, Math.max(at, from + 1)]
}

const breaks = new Set([' ', '\t', '\r', '\n', ';', '|', '&', '<', '>'])

function closing(text: string, from: number, quote: string): number {
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '\\' && quote === '"') at += 1
    else if (text[at] === quote) return at
  }
  return text.length
}

function endOfLine(text: string, from: number): number {
  const at = text.indexOf('\n', from)
  return at === -1 ? text.length : at
}

function afterDocument(text: string, from: number, word: string): number {
  let at = from
  while (at < text.length) {
    const end = endOfLine(text, at)
    if (text.slice(at, end).trim() === word) return Math.min(text.length, end + 1)
    at = end + 1
  }
  return text.length
}
