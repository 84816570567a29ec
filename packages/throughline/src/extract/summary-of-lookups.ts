/** What was asked and how much was found, as facts: counts, where a list would be data. */
import {
  type FamilyFacts,
  factValue,
  failed,
  listedIn,
  outputFact,
  topFiles,
} from './summary-facts.ts'
import type { ToolUse } from './tool-use.ts'

const askedCharacters = 80

export function searchFacts(use: ToolUse): FamilyFacts {
  const { arguments: given, hits, outcome, report } = use
  const pattern = factValue(
    given.query ?? use.subject ?? patternIn(report.text) ?? 'unknown',
    askedCharacters,
  )
  const { matches, files, paths } = hits ?? { matches: 0, files: 0, paths: [] }
  const entries = matches === 0 ? listedIn(report.text) : null
  const matchCount = entries ?? matches
  // What is found in a form that we cannot count is told by how much of it there is.
  const isUncounted = matchCount === 0 && outcome?.status === 'success'
  return {
    facts: [
      `Pattern: "${pattern}"`,
      ...(failed(use)
        ? []
        : isUncounted
          ? [outputFact(use)]
          : [`Matches: ${matchCount}`, `Files: ${files}`]),
      ...(paths.length === 0 ? [] : [topFiles(paths)]),
    ],
    metadata: { pattern, matchCount, fileCount: files },
  }
}

function patternIn(text: string): string | null {
  const said =
    /\b(?:pattern|query|search(?:ed)? for|matches for)[: ]{1,3}["'`]([^"'`\n]{1,80})["'`]/i
  return said.exec(text.slice(0, 400))?.[1] ?? null
}

export function listFacts(use: ToolUse): FamilyFacts {
  const path = use.subject ?? '.'
  const entries = listedIn(use.report.text) ?? filled(use.report.text)
  return {
    facts: [`Path: ${path}`, ...(failed(use) ? [] : [`Entries: ${entries}`])],
    metadata: { path, entries: failed(use) ? 0 : entries },
  }
}

function filled(text: string): number {
  return text.match(/\S[^\n]*/g)?.length ?? 0
}

export function webFacts(use: ToolUse): FamilyFacts {
  const { address } = use.arguments
  const asked = factValue(address ?? use.subject ?? 'unknown', addressCharacters)
  const title = failed(use) ? null : titleIn(use.report.text)
  return {
    facts: [
      address === null ? `Query: "${asked}"` : `URL: ${asked}`,
      ...(title === null ? [] : [`Title: ${title}`]),
      ...(failed(use) ? [] : [outputFact(use)]),
    ],
    metadata: { [address === null ? 'query' : 'url']: asked, outputLines: use.lines },
  }
}

// Half an address leads nowhere.
const addressCharacters = 200

function titleIn(text: string): string | null {
  const start = text.slice(0, 2_000)
  const title =
    /<title>\s{0,99}([^<\n]{1,200})/i.exec(start)?.[1] ??
    /^(?:# |Title: )(\S[^\n]{0,200})$/m.exec(start)?.[1]
  return title === undefined ? null : factValue(title, askedCharacters)
}

export function httpFacts(use: ToolUse): FamilyFacts {
  const { arguments: given, report } = use
  const method = /^[A-Za-z]{3,8}$/.exec(given.text('method') ?? '')?.[0].toUpperCase() ?? 'GET'
  const url = factValue(given.address ?? use.subject ?? 'unknown', addressCharacters)
  const code = statusIn(report.text)
  const facts: FamilyFacts = {
    facts: [
      `Request: ${method} ${url}`,
      ...(code === null ? [] : [`Status: ${code}`]),
      ...(failed(use) ? [] : [outputFact(use)]),
    ],
    metadata: { method, url, ...(code === null ? {} : { statusCode: code }) },
  }
  return code !== null && code >= refusals ? { ...facts, status: 'error' } : facts
}

const refusals = 400

/** Where answers begin; the body may speak of any status. */
function statusIn(text: string): number | null {
  const told =
    /^\s{0,20}(?:HTTP\/\d(?:\.\d)? |(?:status(?: code)?|http status)[:= ]{1,3}|\{\s{0,20}"status(?:_?code)?"\s?:\s?)(\d{3})\b/i
  const code = told.exec(text.slice(0, 200))?.[1]
  return code === undefined ? null : Number(code)
}

export function databaseFacts(use: ToolUse): FamilyFacts {
  const { arguments: given, report } = use
  const query = factValue(given.text('sql') ?? use.subject ?? 'unknown', askedCharacters)
  const rows = failed(use) ? null : rowsIn(report.text)
  return {
    facts: [
      `Query: ${query}`,
      ...(rows === null ? (failed(use) ? [] : [outputFact(use)]) : [`Rows: ${rows}`]),
    ],
    metadata: { query, ...(rows === null ? {} : { rows }) },
  }
}

function rowsIn(text: string): number | null {
  const counted =
    /\(?\b(\d{1,12}) rows?\b(?:\)| (?:affected|returned|selected|in set|changed|updated|inserted|deleted))|"(?:rowCount|row_count|changes|affectedRows)"\s?:\s?(\d{1,12})/i
  const found = counted.exec(text.slice(0, 400)) ?? counted.exec(text.slice(-400))
  const told = found?.[1] ?? found?.[2]
  return told === undefined ? listedIn(text) : Number(told)
}
