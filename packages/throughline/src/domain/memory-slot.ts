/** The slots in which a context tells what an agent remembers of its turns. */
export const memorySlots = ['theme', 'history', 'entities', 'pending', 'turns', 'steps'] as const

export type MemorySlot = (typeof memorySlots)[number]

export function isMemorySlot(kind: string): kind is MemorySlot {
  return memorySlots.some((slot) => slot === kind)
}

type Slots = { readonly slots: readonly { readonly kind: string }[] }

/** Those that a policy shows. */
export function memorySlotsOf({ slots }: Slots): ReadonlySet<MemorySlot> {
  return new Set(slots.map(({ kind }) => kind).filter(isMemorySlot))
}

/** Whether what it tells takes the place of messages: turns and history together tell them all. */
export function tellsTurns({ slots }: Slots): boolean {
  return slots.some(({ kind }) => kind === 'turns')
}
