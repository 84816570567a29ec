/**
 * npm run drafts                                runs the gate on the drafts in this folder
 * npm run drafts -- --talks DIR --answers DIR   runs it on others
 * npm run drafts -- export DIR [--talks DIR]    writes our exact requests to files, to be answered
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
else throw new Error('usage: npm run drafts -- [export DIR] [--talks DIR] [--answers DIR]')

async function exportRequests(talks: string, folder: string): Promise<void> {
  // One policy per prompt: the others share theirs.
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

/** Returns the number of true drafts that were refused, which is the exit code. */
async function score(talks: string, answers: string): Promise<number> {
  const drafts = readDrafts(readTalks(talks), answers)
  let refused = 0
  for (const draft of drafts) {
    const outcome = await outcomeOf(draft, draft.talk)
    if (outcome?.kind === 'accepted') continue
    refused += 1
    console.log(`refused: ${draft.talk.name}, ${draft.policy}: ${JSON.stringify(outcome)}`)
  }
  console.log(`${drafts.length - refused} of ${drafts.length} accepted for their own talk`)
  const pairs = otherTalks(drafts)
  let passed = 0
  for (const [draft, talk] of pairs)
    if ((await outcomeOf(draft, talk))?.kind === 'accepted') {
      passed += 1
      console.log(`wrongly accepted for ${talk.name}: ${draft.talk.name}, ${draft.policy}`)
    }
  console.log(`${pairs.length - passed} of ${pairs.length} refused for another talk`)
  return Math.min(refused, 1)
}
