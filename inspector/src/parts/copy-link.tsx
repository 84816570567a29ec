import { useContext } from 'preact/hooks'
import { Notify } from './action.tsx'

interface CopyLinkProps {
  readonly link: string
  readonly what: string
}

/** Copies the address of a message, a request or a compaction. */
export function CopyLink({ link, what }: CopyLinkProps) {
  const notify = useContext(Notify)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(new URL(link, location.href).href)
      notify('The link is in the clipboard.')
    } catch {
      // Browsers allow it only on secure origins, and only if the reader agrees.
      notify(`The browser did not allow it. The link: ${new URL(link, location.href).href}`)
    }
  }
  return (
    <button
      type="button"
      class="quiet"
      aria-label={`Copy link to ${what}`}
      onClick={() => void copy()}
    >
      Copy link
    </button>
  )
}
