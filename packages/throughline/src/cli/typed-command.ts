/** A command that somebody is told to type, begun as they have begun this one: by npx, or by its name. */
import type { World } from './world.ts'

export function typedCommand(words: string, { env }: Pick<World, 'env'>): string {
  // The second is what older releases of npm say.
  const isByNpx = env['npm_command'] === 'exec' || env['npm_lifecycle_event'] === 'npx'
  return `${isByNpx ? 'npx throughline' : 'throughline'} ${words}`
}
