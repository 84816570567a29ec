/** Recall and expand: what was said is found under its word and opened to the letter; what is gone is not. */
import { saidIn, wordsOf } from './expected.ts'
import { type Step, unexpected } from './step.ts'

export const recall: Step = {
  name: 'recall',
  weight: 5,
  together: true,
  run: async (scene) => {
    const { world, log, slot } = scene
    const { chance } = world.stage
    const acknowledged = log.messages.length
    const seq = chance.below(acknowledged + 1)
    const message = log.messages[seq]
    const [word] = message === undefined ? [] : wordsOf(message)
    const query =
      word ?? [...log.gone].at(chance.below(log.gone.size + 1)) ?? 'the invoice of Berlin'
    const answer = await world.ask(slot, (tl) =>
      tl.conversation(log.id).recall(query, { limit: 50, tokens: 20_000 }),
    )
    if (answer.kind === 'refused') return unexpected(scene, 'recall', answer)
    if (answer.kind === 'doubt') return
    const { pieces } = answer.value
    world.stage.trace.weigh(JSON.stringify(pieces))
    const note = (rule: string, detail: string) =>
      world.findings.push({ rule, detail: `"${log.id}", recall ${query}: ${detail}` })
    if (word !== undefined && !pieces.some(({ span }) => span.from <= seq && seq < span.to))
      note('recall', `#${seq} is not found`)
    const old = [...log.gone].find((each) => pieces.some(({ text }) => text.includes(each)))
    if (old !== undefined) note('gone', `${old} is found`)
    for (const { span } of pieces)
      if (span.to > log.messages.length) note('recall', `to #${span.to} of ${log.messages.length}`)
  },
}

export const expand: Step = {
  name: 'expand',
  weight: 3,
  together: true,
  run: async (scene) => {
    const { world, log, slot } = scene
    const { chance } = world.stage
    if (log.messages.length === 0) return
    const from = chance.below(log.messages.length)
    const to = Math.min(log.messages.length, from + chance.between(1, 4))
    const answer = await world.ask(slot, (tl) =>
      tl.conversation(log.id).expand({ from, to }, { limit: to - from, tokens: 20_000 }),
    )
    if (answer.kind === 'refused') return unexpected(scene, 'expand', answer)
    if (answer.kind === 'doubt') return
    const shown = new Map(answer.value?.messages.map((message) => [message.seq, message]))
    for (let seq = from; seq < to; seq += 1) {
      const expected = log.messages[seq]
      const parts = shown.get(seq)?.parts
      if (expected === undefined || expected.removed) continue
      if (
        JSON.stringify(saidIn((parts ?? []) as never)) !==
        JSON.stringify(saidIn(expected.input.content))
      )
        world.findings.push({ rule: 'expand', detail: `"${log.id}" #${seq} is not what was said` })
    }
  },
}
