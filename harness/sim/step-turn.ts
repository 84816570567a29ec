/** A turn of an agent: a question, an answer, and what is remembered of it behind the reply. */
import { afterReply } from 'throughline/turns'
import { happened } from './break-causes.ts'
import { drawnText } from './drawn-messages.ts'
import { type Step, unexpected } from './step.ts'
import { appendTo } from './step-append.ts'

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
