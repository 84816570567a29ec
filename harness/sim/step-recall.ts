/** Recall and expand: messages are found by their word and opened exactly; gone text is not found. */

import { afterReply } from 'throughline/turns'
import { happened } from './break-causes.ts'
import { partTexts, wordsOf } from './expected.ts'
import { type Scene, type Step, unexpected } from './step.ts'
import { appendTo, drawnText } from './step-append.ts'

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
        JSON.stringify(partTexts((parts ?? []) as never)) !==
        JSON.stringify(partTexts(expected.input.content))
      )
        world.findings.push({
          rule: 'expand',
          detail: `"${log.id}" #${seq} differs from the message`,
        })
    }
  },
}

/** A turn of an agent: a question, an answer, and its memory after the reply. */
export const turn: Step = {
  name: 'turn',
  weight: 6,
  together: false,
  run: async (scene) => {
    const { world, log, slot } = scene
    const { drawing, stage } = world
    const [user, assistant] = [drawnText(drawing), drawnText(drawing)]
    const key = `turn ${drawing.nextName()}`
    const appended = await appendTo(
      scene,
      [
        { role: 'user', content: user },
        { role: 'assistant', content: assistant },
      ],
      key,
    )
    if (appended === null) return
    const input = {
      ...{ userMessage: user, finalResponse: assistant },
      steps: [{ description: 'Looked it up', result: { found: stage.chance.below(9) } }],
    }
    happened(log, 'remembered')
    happened(log, 'memory-changed')
    const tries = stage.chance.once(3) ? 2 : 1
    for (let done = 0; done < tries; done += 1) {
      const options = { key, head: appended.head }
      const answer = await world.ask(slot, (tl) =>
        afterReply(tl.conversation(log.id), input, options),
      )
      if (answer.kind === 'refused') return unexpected(scene, 'afterReply', answer)
      if (answer.kind === 'doubt') return
      const { record } = answer.value
      if (record === null || record.key !== key || (done > 0 && answer.value.changed))
        world.findings.push({
          rule: 'turns',
          detail: `"${log.id}": ${JSON.stringify(record)?.slice(0, 160)}`,
        })
    }
  },
}

/** Pins and unpins messages; pinned ones are then shown word for word. */
// More would fill the smallest window.
const pinsMost = 3
const pinnedCharacters = 900

export const pin: Step = {
  name: 'pin',
  weight: 5,
  together: true,
  run: async (scene) => {
    const { world, log, slot } = scene
    const { chance } = world.stage
    const [oldest] = log.pins
    const isFull = log.pins.size >= pinsMost
    const seq = isFull ? (oldest ?? 0) : chance.below(log.messages.length + 1)
    const there = log.messages[seq]
    const pinned = !log.pins.has(seq)
    if (JSON.stringify(there?.input ?? '').length > pinnedCharacters) return
    // The order of two conflicting concurrent steps is unknown.
    if (log.pinning.has(seq)) return
    log.pinning.add(seq)
    happened(log, 'pins-changed')
    const answer = await world.ask(slot, (tl) => {
      const chat = tl.conversation(log.id)
      return pinned ? chat.pin(seq) : chat.unpin(seq)
    })
    log.pinning.delete(seq)
    if (answer.kind === 'refused') return unexpected(scene, 'pin', answer)
    if (answer.kind === 'doubt') {
      const pins = (await world.look(log.id).info())?.pins ?? []
      if (pins.includes(seq) === pinned) log.pins = changed(scene, seq, pinned)
      return
    }
    const mayBe = there !== undefined && !there.removed
    // A concurrent step may be appending it.
    const isKnown = there !== undefined || scene.alone
    if (isKnown && answer.value.ok !== mayBe)
      return unexpected(scene, `pin of #${seq}`, answer.value)
    if (!answer.value.ok) return
    log.pins = changed(scene, seq, pinned)
    log.moved = true
  },
}

function changed({ log }: Scene, seq: number, pinned: boolean): ReadonlySet<number> {
  const others = [...log.pins].filter((other) => other !== seq)
  return new Set(pinned ? [...others, seq] : others)
}
