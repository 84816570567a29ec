/** The commands that also exist as slash commands in a chat. */
export const conversationCommands = {
  status: async () => (await import('../commands/status.ts')).status,
  context: async () => (await import('../commands/context.ts')).context,
  receipt: async () => (await import('../commands/receipt.ts')).receipt,
  recall: async () => (await import('../commands/recall.ts')).recall,
  expand: async () => (await import('../commands/recall.ts')).expand,
  compact: async () => (await import('../commands/compact.ts')).compact,
  undo: async () => (await import('../commands/compact.ts')).undo,
  pin: async () => (await import('../commands/pin.ts')).pin,
  unpin: async () => (await import('../commands/pin.ts')).unpin,
} as const
