/**
 * The scripted summarizer: the same text in, the same summary out. It is generous: it keeps up to 240 characters
 * of each user message, the first sentence of each reply, and an earlier summary's lines, the newest in up to
 * 6,000 characters, and then 2,000 characters of names. Real models keep fewer paths and numbers.
 */
import type { ModelQuestion, ScriptedAnswer } from '../../harness/fault-server.ts'
import { identifiersOf } from '../../packages/throughline/src/cli/simulation/survival-along.ts'

const statementCharacters = 6_000
const nameCharacters = 2_000
const messageCharacters = 240

export function summaryOf(question: ModelQuestion): ScriptedAnswer {
  const source = question.messages.map(({ text }) => text).join('\n')
  const lines = statementsIn(source)
  const isExtraction = `${question.system}${source}`.includes('{"memory": [')
  const text = isExtraction ? extracted(source) : summarized(question, source, lines)
  return { text, calls: [] }
}

/** Mem0 asks for facts about new messages in JSON, of which it stores each. */
function extracted(source: string): string {
  const [, recent = source] = /new messages([\s\S]*)/i.exec(source) ?? []
  const facts = statementsIn(recent).flatMap((line) =>
    line.slice(bullet.length).split(/(?<=[.!?])\s+/),
  )
  return JSON.stringify({ memory: facts.map((text, id) => ({ id: String(id), text })) })
}

function summarized({ system }: ModelQuestion, source: string, lines: readonly string[]): string {
  const names = fitted([...identifiersOf(source, '')], nameCharacters).join(' ')
  const summary = `${fitted(lines, statementCharacters).join('\n')}\nNames: ${names}`
  // Mastra's observer and reflector answer in tags.
  return system.includes('<observations>') ? `<observations>\n${summary}\n</observations>` : summary
}

const bullet = '- user: '

/** Lines as the peers write them: LangChain `Human:`, Mastra `**User (time):**`, Mem0 `user:`, and our own. */
const statement =
  /^\s*(?:[-*] )?(?:\*\*)?(human|user|ai|assistant)\b[^:\n]{0,40}:?(?:\*\*)?:?\s*(\S.*)$/gim

function statementsIn(source: string): readonly string[] {
  const lines = [...source.matchAll(statement)].map(([, role = '', text = '']) => {
    const isUser = /human|user/i.test(role)
    return `${bullet}${(isUser ? text : firstSentence(text)).slice(0, messageCharacters)}`
  })
  return [...new Set(lines)]
}

function firstSentence(text: string): string {
  return /^.*?[.!?](?=\s|$)/.exec(text)?.[0] ?? text
}

/** The newest that fit, in order. */
function fitted(lines: readonly string[], characters: number): readonly string[] {
  let left = characters
  const kept = lines.toReversed().filter((line) => {
    left -= line.length + 1
    return left >= 0
  })
  return kept.reverse()
}
