/**
 * What a turn has brought and what is known of it, as one entity. What a database says wins over
 * what was generated, in whichever order the two come; nothing that is brought takes a database's
 * word back.
 */
import type { TurnEntity } from '../../domain/agent-turn.ts'
import { canonicalJson } from '../../domain/canonical-json.ts'
import {
  type Entity,
  type EntitySource,
  type EntityState,
  isBacked,
  isReal,
} from '../../domain/entity.ts'
import type { JsonValue } from '../../domain/json.ts'
import { broughtNames } from './brought-names.ts'
import { stateWhenBack } from './touch-entity.ts'

/** `known`: none where it is new, two where a temporary id and the real one were both known. */
export function joinEntity(known: readonly Entity[], brought: TurnEntity, turn: number): Entity {
  const main = known.find(isReal) ?? known.find(isBacked) ?? known[0]
  if (main === undefined) return newEntity(brought, turn)
  const other = known.find((entity) => entity !== main)
  // A draft of what stands in a database says nothing of what stands there.
  const told = isBacked(brought) || !isBacked(main) ? brought : null
  const id = isReal(main) && !isReal(brought) ? main.id : brought.id
  const state = stateOf(known, brought)
  const joined: Entity = {
    id,
    type: told?.type || main.type,
    label: told?.label.trim() ? told.label : main.label,
    aliases: aliasesOf(known, brought, id),
    state,
    source: [...known, brought].reduce(strongerSource, brought.source),
    turnCreated: Math.min(...known.map(({ turnCreated }) => turnCreated)),
    turnLastRef: turn,
    turnUpdated: turn,
    since: sinceOf(known, brought, state, turn),
    rejected: false,
    subdomain: told?.subdomain ?? main.subdomain ?? other?.subdomain ?? null,
    data: told?.data ?? main.data ?? other?.data ?? null,
  }
  return other !== undefined || saysMore(joined, main)
    ? joined
    : { ...joined, turnUpdated: main.turnUpdated }
}

function newEntity(brought: TurnEntity, turn: number): Entity {
  const { id, type, label, source, subdomain, data } = brought
  return {
    id,
    type,
    label,
    aliases: aliasesOf([], brought, id),
    state: stateBrought(brought),
    source,
    turnCreated: turn,
    turnLastRef: turn,
    turnUpdated: turn,
    since: turn,
    rejected: false,
    subdomain,
    data,
  }
}

/** More are not looked for, and every record of a turn holds them all. */
const aliasesMax = 32

/** The newest, oldest first. */
function aliasesOf(known: readonly Entity[], brought: TurnEntity, id: string): readonly string[] {
  const names = known.flatMap((entity) => [...entity.aliases, entity.id])
  const aliases = new Set([...names, ...broughtNames(brought)])
  aliases.delete(id)
  return [...aliases].slice(-aliasesMax)
}

function stateBrought(brought: TurnEntity): EntityState {
  return brought.state ?? stateWhenBack(brought)
}

/** What is brought is there again, and what was confirmed stays so. */
function stateOf(known: readonly Entity[], brought: TurnEntity): EntityState {
  const isActive = known.some(
    (entity) => entity.state === 'active' || (entity.state === 'inactive' && isBacked(entity)),
  )
  return isActive ? 'active' : stateBrought(brought)
}

function sinceOf(
  known: readonly Entity[],
  brought: TurnEntity,
  state: EntityState,
  turn: number,
): number {
  // A draft that is made anew begins to wait anew.
  if (state === 'pending' && !isBacked(brought)) return turn
  const before = known.filter((entity) => entity.state === state)
  return Math.min(turn, ...before.map(({ since }) => since))
}

const sources: readonly EntitySource[] = ['analyze', 'generate', 'db_read', 'db_write']

function strongerSource(one: EntitySource, { source }: Pick<Entity, 'source'>): EntitySource {
  return sources.indexOf(source) > sources.indexOf(one) ? source : one
}

function saysMore(joined: Entity, before: Entity): boolean {
  return (
    joined.id !== before.id ||
    joined.type !== before.type ||
    joined.label !== before.label ||
    joined.source !== before.source ||
    joined.subdomain !== before.subdomain ||
    joined.aliases.join('\0') !== before.aliases.join('\0') ||
    (before.state === 'pending' && joined.state === 'active') ||
    !isSameJson(joined.data, before.data)
  )
}

function isSameJson(one: JsonValue, other: JsonValue): boolean {
  return (
    one === other || canonicalJson(JSON.stringify(one)) === canonicalJson(JSON.stringify(other))
  )
}
