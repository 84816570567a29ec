/** What was selected, as the request that it would be. */
import type { Shown } from '../assemble/show.ts'
import type { Held, Projecting } from '../project/projecting.ts'
import { type Shows, showView } from '../project/show-view.ts'
import type { Considered } from './selection.ts'

export function showSelected(
  input: Projecting,
  held: Held,
  { candidates, task }: Considered,
  selected: Shows,
): Shown {
  const stubbed = new Set(selected.stubs.map(({ seq }) => seq))
  const messages = [...(task === null ? [] : [task]), ...candidates]
    .map(({ message }) => message)
    .filter(({ seq }) => seq >= selected.line || selected.keeps.includes(seq))
    .filter(({ seq }) => !stubbed.has(seq))
  return showView(input, held, selected, messages)
}
