/** Documents that are made from code, so that they cannot say something else. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defaults } from '../packages/throughline/src/defaults-data.ts'
import { errorTable } from '../packages/throughline/src/errors-data.ts'
import { apiPage } from './api-page.ts'
import { compactionOutputs } from './compaction-page.ts'
import { filledDocument } from './filled-document.ts'
import { policyTables } from './policy-page.ts'
import type { PublicApi } from './public-api.ts'
import { requirementTests } from './requirement-tests.ts'
import { readRequirements } from './requirements.ts'
import { requirementsPage } from './requirements-page.ts'

const docs = join(import.meta.dirname, '..', 'docs')

export async function generatedDocuments({
  entries,
  reports,
}: PublicApi): Promise<ReadonlyMap<string, string>> {
  const compaction = join(docs, 'compaction.md')
  const policy = join(docs, 'policies.md')
  return new Map([
    ...reports,
    [compaction, filledDocument(readFileSync(compaction, 'utf8'), await compactionOutputs())],
    [policy, filledDocument(readFileSync(policy, 'utf8'), policyTables())],
    [join(docs, 'api.md'), apiPage(entries)],
    [join(docs, 'errors.md'), errorsDocument()],
    [join(docs, 'defaults.md'), defaultsDocument()],
    [
      join(docs, 'requirements-coverage.md'),
      requirementsPage(readRequirements(), requirementTests()),
    ],
  ])
}

function errorsDocument(): string {
  const rows = Object.entries(errorTable).map(
    ([code, row]) =>
      `| \`${code}\` | ${row.meaning} | ${row.whatToDo} | ${row.retryable ? 'yes' : 'no'} | ${row.httpStatus} | ${row.exitCode} |`,
  )
  return `# Errors

Every error that Throughline throws is a \`ThroughlineError\` with one of these codes. What a correct
program meets on a normal day is not thrown: it is an outcome with a \`kind\`. The original error, where
there is one, is the \`cause\`. Made from \`src/errors-data.ts\` by \`npm run docs\`.

| code | what it means | what to do | worth a retry | HTTP | exit |
|---|---|---|---|--:|--:|
${rows.join('\n')}
`
}

function defaultsDocument(): string {
  const rows = Object.entries(defaults).map(
    ([name, { value, reason }]) => `| \`${name}\` | \`${value}\` | ${reason} |`,
  )
  return `# Defaults

What holds when nothing is set, and why. Made from \`src/defaults-data.ts\` by \`npm run docs\`.

| setting | value | reason |
|---|---|---|
${rows.join('\n')}
`
}
