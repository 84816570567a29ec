/** Every kind of step. */
import type { Step } from './step.ts'
import { append } from './step-append.ts'
import { context } from './step-context.ts'
import {
  changePolicy,
  compact,
  overflowed,
  settle,
  switchCompaction,
  turnClock,
} from './step-control.ts'
import { editSummary, fork, restore, undo } from './step-history.ts'
import { pin } from './step-pin.ts'
import { expand, recall } from './step-recall.ts'
import { edit, purge, purgeMessage, remove } from './step-rewrite.ts'
import { turn } from './step-turn.ts'

export const steps: readonly Step[] = [
  ...[append, turn, context, compact, overflowed, switchCompaction],
  ...[recall, expand, pin, undo, restore, editSummary],
  ...[edit, remove, purgeMessage, purge, fork],
  ...[changePolicy, turnClock, settle],
]
