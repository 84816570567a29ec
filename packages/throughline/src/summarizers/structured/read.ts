/** The answer of a model as a draft, checked against the caps. Never throws, never cuts, never asks again. */
import type { ActionItem, Draft } from '../../domain/summary.ts'
import type { Answer, ReadAnswer } from '../../ports/summary-style.ts'
import { answerText, codePointsBeyond, jsonInText, lineOfText, refused } from '../read-answer.ts'

export function readStructured(answer: Answer): ReadAnswer {
  const said = answerText(answer)
  if (said.kind === 'refused') return said
  const json = jsonInText(said.text)
  switch (json.kind) {
    case 'found': {
      const draft = draftFrom(json.value)
      return typeof draft === 'string'
        ? refused('wrong-schema', draft, answer.text)
        : { kind: 'drafted', draft, cutOff: false }
    }
    case 'cut-off':
      return refused('cut-off', 'the object does not end', answer.text)
    case 'missing':
      return answer.finish === 'length'
        ? refused('cut-off', 'it ends before there is an object', answer.text)
        : refused('not-json', 'there is no JSON object in it', answer.text)
    case 'ambiguous':
      return refused('ambiguous', 'there is more than one JSON object in it', answer.text)
  }
}

type Fields = Readonly<Record<string, unknown>>

/** A string says what is wrong. */
function draftFrom(fields: Fields): Draft | string {
  const problems: string[] = []
  const summary = fields['summary']
  const text = typeof summary === 'string' ? summary.toWellFormed().trim() : ''
  if (text === '') problems.push('summary: must be a string that is not empty')
  if (codePointsBeyond(text, caps.summaryCharacters))
    problems.push(`summary: must have at most ${caps.summaryCharacters} characters`)
  const context = fields['context'] ?? {}
  if (!isFields(context)) return [...problems, 'context: must be an object'].join('; ')
  const list = (name: ListName) =>
    textsIn({ name: `context.${name}`, value: context[name], cap: caps[name], problems })
  const draft: Draft = {
    text,
    keyPoints: textsIn({
      name: 'keyPoints',
      value: fields['keyPoints'],
      cap: caps.keyPoints,
      problems,
    }),
    facets: {
      participants: list('participants'),
      decisions: list('decisions'),
      actionItems: actionItemsIn(context['actionItems'], problems),
      unresolved: list('unresolved'),
      domainEntities: list('domainEntities'),
      tone: null,
      userFacts: [],
      references: [],
    },
  }
  return problems.length === 0 ? draft : problems.slice(0, problemsTold).join('; ')
}

const problemsTold = 3

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

interface Listed {
  readonly name: string
  readonly value: unknown
  readonly cap: { readonly items: number; readonly characters: number }
  readonly problems: string[]
}

/** What is missing is empty. Each once, in one line: an item must not look like a heading. */
function textsIn({ name, value, cap, problems }: Listed): readonly string[] {
  const items = itemsIn(name, value, cap.items, problems)
  const texts = items.flatMap((item) => {
    if (typeof item !== 'string') {
      problems.push(`${name}: must hold strings`)
      return []
    }
    return [wordsIn(name, item, cap.characters, problems)]
  })
  return [...new Set(texts)].filter((text) => text !== '')
}

function itemsIn(
  name: string,
  value: unknown,
  most: number,
  problems: string[],
): readonly unknown[] {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value)) {
    problems.push(`${name}: must be an array`)
    return []
  }
  if (value.length <= most) return value
  problems.push(`${name}: must have at most ${most} items`)
  return []
}

function wordsIn(name: string, text: string, most: number, problems: string[]): string {
  const words = lineOfText(text)
  if (codePointsBeyond(words, most)) problems.push(`${name}: must have at most ${most} characters`)
  return words
}

function actionItemsIn(value: unknown, problems: string[]): readonly ActionItem[] {
  const name = 'context.actionItems'
  const { items, taskCharacters, wordCharacters } = caps.actionItems
  return itemsIn(name, value, items, problems).flatMap((item) => {
    const task = isFields(item) ? item['task'] : null
    if (!isFields(item) || typeof task !== 'string' || task.trim() === '') {
      problems.push(`${name}: must hold objects with a task`)
      return []
    }
    const word = (field: 'owner' | 'due') => {
      const given = item[field] ?? ''
      if (typeof given !== 'string') problems.push(`${name}.${field}: must be a string or null`)
      const words = wordsIn(`${name}.${field}`, String(given), wordCharacters, problems)
      return words === '' ? null : words
    }
    const words = wordsIn(`${name}.task`, task, taskCharacters, problems)
    return [{ owner: word('owner'), task: words, due: word('due') }]
  })
}

/**
 * How much of each a structured summary may have. The schema, the words of the prompt and the
 * check of an answer are made from this one table.
 */
export const caps = {
  summaryCharacters: 5_000,
  keyPoints: { items: 30, characters: 500 },
  participants: { items: 30, characters: 500 },
  decisions: { items: 50, characters: 500 },
  actionItems: { items: 50, taskCharacters: 400, wordCharacters: 60 },
  unresolved: { items: 50, characters: 500 },
  domainEntities: { items: 80, characters: 500 },
} as const

export type ListName = 'participants' | 'decisions' | 'unresolved' | 'domainEntities'
