/** Text in which anchors such as #412 are links to their messages. */
import { linkTo } from '../data/route.ts'

export function TextWithAnchors({ text, id }: { readonly text: string; readonly id: string }) {
  const pieces = text.split(/(#\d{1,9}\b)/g)
  return (
    <div class="text">
      {pieces.map((piece, at) =>
        at % 2 === 1 ? (
          <a key={at} class="anchor" href={linkTo(id, 'messages', piece.slice(1))}>
            {piece}
          </a>
        ) : (
          piece
        ),
      )}
    </div>
  )
}
