import type { Attack } from './attack.ts'
import { roleEscalation } from './role-escalation.ts'
import { secrets } from './secrets.ts'

export const attacks: readonly Attack[] = [roleEscalation, secrets]
