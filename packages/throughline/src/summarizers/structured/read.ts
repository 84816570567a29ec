/** Parses a model's answer into a draft and checks its caps. Never throws, cuts or asks again. */
import { type Fields, isObject } from '../../domain/json.ts'
import type { ActionItem, Draft } from '../../domain/summary.ts'
import type { Answer, ReadAnswer } from '../../ports/summary-style.ts'
import { noFacets } from '../plan-steps.ts'
import { codePointsBeyond, jsonInAnswer, lineOfText, refused } from '../read-answer.ts'
import { caps, type ListCap, type ListName } from './caps-data.ts'

export function readStructured(answer: Answer): ReadAnswer {
  const json = jsonInAnswer(answer)
  if (json.kind === 'refused') return json
  if (json.kind === 'missing')
    return refused('not-json', 'there is no JSON object in it', answer.text)
  const draft = draftFrom(json.value)
  return typeof draft === 'string'
    ? refused('wrong-schema', draft, answer.text)
    : { kind: 'drafted', draft, cutOff: false }
}

/** Returns a string with the problems if the answer is invalid. */
function draftFrom({ summary, keyPoints, context: given }: Fields): Draft | string {
  const problems: string[] = []
  const text = typeof summary === 'string' ? summary.toWellFormed().trim() : ''
  if (text === '') problems.push('summary: must be a string that is not empty')
  checkLength('summary', text, caps.summaryCharacters, problems)
  const context = given ?? {}
  if (!isObject(context)) return [...problems, 'context: must be an object'].join('; ')
  const list = (name: ListName) => textsIn(`context.${name}`, context[name], caps[name], problems)
  const draft: Draft = {
    text,
    keyPoints: textsIn('keyPoints', keyPoints, caps.keyPoints, problems),
    facets: {
      ...noFacets,
      participants: list('participants'),
      decisions: list('decisions'),
      actionItems: actionItemsIn(context['actionItems'], problems),
      unresolved: list('unresolved'),
      domainEntities: list('domainEntities'),
    },
  }
  return problems.length === 0 ? draft : problems.slice(0, problemsShown).join('; ')
}

const problemsShown = 3

/** Missing lists are empty. Items are unique and one line each, so that none looks like a heading. */
function textsIn(name: string, value: unknown, cap: ListCap, problems: string[]) {
  const texts = itemsIn(name, value, cap.items, problems).map((item) => {
    if (typeof item !== 'string') problems.push(`${name}: must hold strings`)
    return typeof item === 'string' ? lineIn(name, item, cap.characters, problems) : ''
  })
  return [...new Set(texts)].filter((text) => text !== '')
}

function itemsIn(name: string, value: unknown, maxItems: number, problems: string[]) {
  const items = value ?? []
  if (Array.isArray(items) && items.length <= maxItems) return items
  const rule = Array.isArray(items) ? `have at most ${maxItems} items` : 'be an array'
  problems.push(`${name}: must ${rule}`)
  return []
}

/** The text as one line. */
function lineIn(name: string, text: string, maxLength: number, problems: string[]): string {
  const line = lineOfText(text)
  checkLength(name, line, maxLength, problems)
  return line
}

function checkLength(name: string, text: string, maxLength: number, problems: string[]): void {
  if (codePointsBeyond(text, maxLength))
    problems.push(`${name}: must have at most ${maxLength} characters`)
}

function actionItemsIn(value: unknown, problems: string[]): readonly ActionItem[] {
  const name = 'context.actionItems'
  const { items, taskCharacters, wordCharacters } = caps.actionItems
  return itemsIn(name, value, items, problems).flatMap((item) => {
    const task = isObject(item) ? item['task'] : null
    if (!isObject(item) || typeof task !== 'string' || task.trim() === '') {
      problems.push(`${name}: must hold objects with a task`)
      return []
    }
    const textOrNull = (field: 'owner' | 'due') => {
      const text = item[field] ?? ''
      if (typeof text !== 'string') problems.push(`${name}.${field}: must be a string or null`)
      return lineIn(`${name}.${field}`, String(text), wordCharacters, problems) || null
    }
    const line = lineIn(`${name}.task`, task, taskCharacters, problems)
    return [{ owner: textOrNull('owner'), task: line, due: textOrNull('due') }]
  })
}
