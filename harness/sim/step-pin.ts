/** Pins set and taken off: they are shown word for word from then on. */
import { happened } from './break-causes.ts'
import { type Scene, type Step, unexpected } from './step.ts'

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
    // Who comes first of two that want the opposite nobody can say.
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
    // Somebody may be appending it.
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
