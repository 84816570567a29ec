/** Searches the whole log, as the model's tool does, and explains each hit. */
import { useContext, useState } from 'preact/hooks'
import { call, pathOf } from '../data/api.ts'
import { CurrentConversation } from '../data/conversation.ts'
import { count, time } from '../data/format.ts'
import { go, linkTo } from '../data/route.ts'
import type { Recalled } from '../data/types.ts'
import { useLoaded } from '../data/use-loaded.ts'
import { originText } from '../data/words.ts'
import { Empty, Shown } from '../parts/states.tsx'

type Piece = Recalled['pieces'][number]

export function RecallView({ item }: { readonly item: string }) {
  const live = useContext(CurrentConversation)
  const [query, setQuery] = useState(item)
  if (live === null) return null
  const { id } = live.data
  return (
    <div class="column">
      <form
        class="search"
        onSubmit={(event) => {
          event.preventDefault()
          go(linkTo(id, 'recall', query.trim()))
        }}
      >
        <input
          type="search"
          aria-label="Question"
          placeholder="Which port did we choose?"
          value={query}
          onInput={(event) => setQuery(event.currentTarget.value)}
        />
        <button type="submit" class="primary" disabled={query.trim() === ''}>
          Recall
        </button>
      </form>
      {item === '' ? (
        <Empty title="Ask the log">
          Recall searches every message, also those that the model no longer sees, the ledger and
          the summary.
        </Empty>
      ) : (
        <Hits id={id} query={item} />
      )}
    </div>
  )
}

function Hits({ id, query }: { readonly id: string; readonly query: string }) {
  const found = useLoaded(`recall ${id} ${query}`, (signal) =>
    call<Recalled>(pathOf(id, 'recall'), {
      query: { query, limit: 12, currentTurn: true },
      signal,
    }),
  )
  return (
    <Shown of={found} rows={5}>
      {({ pieces, unsearched }) => (
        <>
          <p class="soft" role="status">
            {count(pieces.length, 'passage')}
            {unsearched !== null &&
              `; messages #${unsearched.from}–#${unsearched.to - 1} are not indexed yet`}
          </p>
          {pieces.length === 0 && (
            <Empty title="Nothing found">Try other words: names and paths match best.</Empty>
          )}
          <ol class="hits">
            {pieces.map((piece) => (
              <Hit
                key={`${piece.anchor} ${piece.kind} ${piece.text.length}`}
                id={id}
                piece={piece}
              />
            ))}
          </ol>
        </>
      )}
    </Shown>
  )
}

function Hit({ id, piece }: { readonly id: string; readonly piece: Piece }) {
  const { anchor, span, at, text, origins, kind, foundBy } = piece
  const words = [...foundBy.words, ...foundBy.names]
  return (
    <li class="hit">
      <header class="message-head">
        <a class="anchor" href={linkTo(id, 'messages', span.from)}>
          {anchor}
        </a>
        <span class="badge">
          {kind === 'entry'
            ? 'ledger'
            : kind === 'summary'
              ? 'summary'
              : origins.map(originText).join(', ')}
        </span>
        {at !== null && <time class="message-end soft">{time(at)}</time>}
      </header>
      <Marked text={excerptOf(text, words)} words={words} />
      <p class="soft why">{whyText(foundBy)}</p>
    </li>
  )
}

/** Around the first word that matches. */
function excerptOf(text: string, words: readonly string[]): string {
  const lower = text.toLowerCase()
  const places = words.map((word) => lower.indexOf(word.toLowerCase())).filter((at) => at >= 0)
  const first = Math.min(...places, text.length)
  const from =
    first === text.length || first < shownCharacters / 2 ? 0 : first - shownCharacters / 3
  const piece = text.slice(from, from + shownCharacters)
  return `${from > 0 ? '… ' : ''}${piece}${from + shownCharacters < text.length ? ' …' : ''}`
}

const shownCharacters = 480

function whyText({ words, names, neighbours, meaning }: Piece['foundBy']): string {
  const reasons = [
    ...(words.length > 0 ? [`contains ${words.join(', ')}`] : []),
    ...(names.length > 0 ? [`has ${names.join(', ')} in a name`] : []),
    ...(neighbours.length > 0 ? [`is beside ${neighbours.join(', ')}`] : []),
    ...(meaning !== null ? [`has a similar meaning (${meaning.toFixed(2)})`] : []),
  ]
  return reasons.length === 0 ? '' : `Found because it ${reasons.join('; ')}.`
}

/** Words are marked as elements, never through HTML. */
function Marked({ text, words }: { readonly text: string; readonly words: readonly string[] }) {
  const terms = words
    .filter((word) => word.length > 1)
    .map((word) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  // At the beginning of a word: "port" is not what was found in "export".
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(${terms.join('|')})`, 'giu')
  const pieces = terms.length === 0 ? [text] : text.split(pattern)
  return (
    <div class="text">
      {pieces.map((piece, at) => (at % 2 === 1 ? <mark key={at}>{piece}</mark> : piece))}
    </div>
  )
}
