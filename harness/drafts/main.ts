/**
 * npm run drafts                       what the gate says of the drafts in this folder
 * npm run drafts -- --talks DIR --answers DIR          and of others
 * npm run drafts -- export DIR [--talks DIR]           our exact requests, a file each, to be answered
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { PolicyName } from 'throughline'
import type { ModelRequest } from 'throughline/models'
import { fixtures, otherTalks, outcomeOf, play, readDrafts, readTalks } from './drafts.ts'

const { values, positionals } = parseArgs({
  options: {
    talks: { type: 'string', default: fixtures.talks },
    answers: { type: 'string', default: fixtures.answers },
  },
  allowPositionals: true,
})

const [command, out] = positionals
if (command === 'export' && out !== undefined) await exportRequests(values.talks, out)
else if (command === undefined) process.exitCode = await score(values.talks, values.answers)
else throw new Error('npm run drafts -- [export DIR] [--talks DIR] [--answers DIR]')

async function exportRequests(talks: string, folder: string): Promise<void> {
  // One for each prompt: the others share theirs.
  const asking: readonly PolicyName[] = ['balanced', 'rolling-rows', 'running-rag', 'rule-digest']
  mkdirSync(folder, { recursive: true })
  for (const talk of readTalks(talks))
    for (const policy of asking) {
      const [request] = (await play(talk, policy, [])).requests
      if (request !== undefined)
        writeFileSync(join(folder, `${talk.name}--${policy}.txt`), textOf(request))
    }
}

function textOf({ system, messages, schema, maxOutputTokens }: ModelRequest): string {
  return [
    `# System prompt\n\n${system ?? '(none)'}`,
    ...messages.map(({ role, content }) => `# ${role} message\n\n${content}`),
    ...(schema === null
      ? []
      : [`# Output: one JSON object by this schema\n\n${JSON.stringify(schema)}`]),
    `# At most ${maxOutputTokens} tokens of output`,
  ].join('\n\n')
}

/** How many true drafts were refused: the exit code. */
async function score(talks: string, answers: string): Promise<number> {
  const drafts = readDrafts(readTalks(talks), answers)
  let refused = 0
  for (const draft of drafts) {
    const outcome = await outcomeOf(draft, draft.talk)
    if (outcome?.kind === 'accepted') continue
    refused += 1
    console.log(`refused: ${draft.talk.name}, ${draft.policy}: ${JSON.stringify(outcome)}`)
  }
  console.log(`${drafts.length - refused} of ${drafts.length} accepted by their own talk`)
  const pairs = otherTalks(drafts)
  let passed = 0
  for (const [draft, talk] of pairs)
    if ((await outcomeOf(draft, talk))?.kind === 'accepted') {
      passed += 1
      console.log(`accepted by ${talk.name}: ${draft.talk.name}, ${draft.policy}`)
    }
  console.log(`${pairs.length - passed} of ${pairs.length} refused by another talk`)
  return Math.min(refused, 1)
}
