/** Documents that are generated from code, so that they cannot contradict it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defaultRows } from '../packages/throughline/src/defaults-data.ts'
import { errorTable } from '../packages/throughline/src/errors-data.ts'
import { apiPage } from './api-page.ts'
import { compactionOutputs } from './compaction-page.ts'
import { filledDocument } from './filled-document.ts'
import { policyTables } from './policy-page.ts'
import type { PublicApi } from './public-api.ts'
import { readmeOutput } from './readme-output.ts'
import { readmePicture } from './readme-picture.ts'
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
  const readme = join(docs, '..', 'README.md')
  return new Map([
    ...reports,
    [compaction, filledDocument(readFileSync(compaction, 'utf8'), await compactionOutputs())],
    [readme, await filledReadme(readFileSync(readme, 'utf8'))],
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

async function filledReadme(text: string): Promise<string> {
  const outputs = new Map([...(await readmePicture()), ['output', readmeOutput(text)]])
  return filledDocument(text, outputs)
}

function errorsDocument(): string {
  const rows = Object.entries(errorTable).map(
    ([code, row]) =>
      `| \`${code}\` | ${row.meaning} | ${row.whatToDo} | ${row.retryable ? 'yes' : 'no'} | ${row.httpStatus} | ${row.exitCode} |`,
  )
  return `# Errors

Every error that Throughline throws is a \`ThroughlineError\` with one of these codes. Expected
outcomes are not thrown: a call returns a value with a \`kind\`. The original error, if any, is the
\`cause\`. Generated from \`src/errors-data.ts\` by \`npm run docs\`.

| code | what it means | what to do | worth a retry | HTTP | exit |
|---|---|---|---|--:|--:|
${rows.join('\n')}
`
}

function defaultsDocument(): string {
  const rows = defaultRows().map(
    ([name, { value, reason }]) => `| \`${name}\` | \`${value}\` | ${reason} |`,
  )
  return `# Defaults

Default values and the reason for each. Generated from \`src/defaults-data.ts\` by \`npm run docs\`.

| setting | value | reason |
|---|---|---|
${rows.join('\n')}
`
}
