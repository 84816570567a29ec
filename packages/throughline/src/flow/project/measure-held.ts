/** What a request holds before any message of the log is looked at, and what that leaves them. */
import { offeredTools } from '../../domain/recall-tools.ts'
import { isRemoved } from '../../domain/removed-message.ts'
import { measureProtected, measureSupplied } from '../assemble/held-texts.ts'
import { planBudget } from '../measure/plan-budget.ts'
import { readPins } from '../read/log-reader.ts'
import type { Held, Projecting } from './projecting.ts'

export async function measureHeld(input: Projecting): Promise<Held> {
  const { log, request, meter, policy, calibration } = input
  const pinned = (await readPins(log)).filter((message) => !isRemoved(message))
  const sizes = measureProtected(request, pinned, meter)
  const { replyTokens } = request
  const bare = planBudget(meter, policy, sizes, calibration, { replyTokens })
  const supplied = measureSupplied(input, bare, sizes)
  const asked = { replyTokens, suppliedTokens: supplied.size.tokens }
  const plan = planBudget(meter, policy, sizes, calibration, asked)
  return { sizes, plan, pinned, supplied, offered: offeredTools(request.tools) }
}
