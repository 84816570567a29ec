/** Cases with expectations written by hand, which prove that the reference itself is right. */
import { appendCases } from './append.test-support.ts'
import type { StoreCases } from './case.test-support.ts'
import { commitCases } from './commits.test-support.ts'
import { forkCases } from './forks.test-support.ts'
import { indexCases } from './index.test-support.ts'
import { kindCases } from './kinds.test-support.ts'
import { messageCases } from './messages.test-support.ts'
import { removalCases } from './removal.test-support.ts'
import { rewriteCases } from './rewrite.test-support.ts'
import { rewriteForkCases } from './rewrite-forks.test-support.ts'
import { rewriteRowCases } from './rewrite-rows.test-support.ts'
import { rowCases } from './rows.test-support.ts'

export const storedCases: StoreCases = {
  ...rewriteCases,
  ...rewriteForkCases,
  ...rewriteRowCases,
  ...appendCases,
  ...messageCases,
  ...forkCases,
  ...commitCases,
  ...rowCases,
  ...kindCases,
  ...removalCases,
}

export const allCases: StoreCases = { ...storedCases, ...indexCases }
