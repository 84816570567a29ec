/** The frame around the views of one conversation: its title, its figures and its tabs. */
import type { ComponentChildren } from 'preact'
import { useContext, useEffect, useRef } from 'preact/hooks'
import { CurrentConversation, useConversation } from '../data/conversation.ts'
import { count, short } from '../data/format.ts'
import { linkTo, type Route, type Tab, tabNames, tabs } from '../data/route.ts'
import type { Session } from '../data/types.ts'
import { exportView } from '../parts/export-view.ts'
import { Empty, Failure, Loading } from '../parts/states.tsx'
import { ChatView } from './chat.tsx'
import { CompactionsView } from './compactions.tsx'
import { CostView } from './cost.tsx'
import { EventsView } from './events.tsx'
import { LedgerView } from './ledger.tsx'
import { MessagesView } from './messages.tsx'
import { PinsView } from './pins.tsx'
import { RecallView } from './recall.tsx'
import { RequestsView } from './requests.tsx'
import { WindowUse } from './window-use.tsx'

type ConversationRoute = Extract<Route, { readonly page: 'conversation' }>

interface ConversationProps {
  readonly route: ConversationRoute
  readonly session: Session
}

export function ConversationView({ route, session }: ConversationProps) {
  const { loaded, ...rest } = useConversation(route.id, route.tab)
  if (loaded.kind === 'failed' && loaded.error.status === 404)
    return (
      <Empty title="There is no such conversation">
        It may have been purged, or belongs to another tenant: <code>{route.id}</code>.{' '}
        <a href="#/">All conversations</a>
      </Empty>
    )
  if (loaded.kind === 'failed')
    return (
      <div class="column">
        <Failure error={loaded.error} retry={rest.refresh} />
      </div>
    )
  if (loaded.kind === 'loading')
    return (
      <div class="column">
        <Loading rows={8} />
      </div>
    )
  return (
    <CurrentConversation.Provider value={{ data: loaded.value, ...rest }}>
      <Head route={route} hasChat={session.chatModel !== null} />
      <ScrollableView tab={route.tab}>
        <TabView route={route} chatModel={session.chatModel} />
      </ScrollableView>
    </CurrentConversation.Provider>
  )
}

interface ScrollableProps {
  readonly tab: Tab
  readonly children: ComponentChildren
}

/** Scrolls with keys, too; two views have regions of their own that do. */
function ScrollableView({ tab, children }: ScrollableProps) {
  if (tab === 'messages' || tab === 'requests')
    return <div class={`view view-${tab}`}>{children}</div>
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the view scrolls, so keys must reach it
    <section class={`view view-${tab}`} tabIndex={0} aria-label={tabNames[tab]}>
      {children}
    </section>
  )
}

interface TabProps {
  readonly route: ConversationRoute
  readonly chatModel: string | null
}

function TabView({ route: { tab, item, id }, chatModel }: TabProps) {
  switch (tab) {
    case 'messages':
      return <MessagesView key={id} item={item} />
    case 'requests':
      return <RequestsView item={item} />
    case 'compactions':
      return <CompactionsView key={id} item={item} />
    case 'cost':
      return <CostView />
    case 'ledger':
      return <LedgerView key={id} />
    case 'recall':
      return <RecallView key={`${id} ${item}`} item={item} />
    case 'pins':
      return <PinsView />
    case 'events':
      return <EventsView />
    case 'chat':
      return chatModel === null ? <NoChat /> : <ChatView key={id} model={chatModel} />
  }
}

function NoChat() {
  return (
    <Empty title="No chat model">
      Set <code>chat</code> in the settings of the server, or THROUGHLINE_CHAT.
    </Empty>
  )
}

function Head({
  route,
  hasChat,
}: {
  readonly route: ConversationRoute
  readonly hasChat: boolean
}) {
  const live = useContext(CurrentConversation)
  const tabBar = useRef<HTMLElement>(null)
  // On a narrow screen the chosen tab may be out of sight.
  useEffect(() => {
    const current = tabBar.current?.querySelector('[aria-current]')
    current?.scrollIntoView({ inline: 'center', block: 'nearest' })
  }, [route.tab])
  if (live === null) return null
  const { conversation, status, models, model } = live.data
  const { id, title, head, forkedFrom, parent, pins } = conversation
  const numbers: Partial<Record<Tab, number>> = {
    messages: head,
    requests: status.requests.length,
    compactions: status.totals.compactions,
    pins: pins.length,
  }
  return (
    <header class="conversation-head">
      <div class="conversation-title">
        <h1>{title ?? id}</h1>
        <button
          type="button"
          class="quiet"
          onClick={() => exportView(`${title ?? id}, ${route.tab}`)}
        >
          Save as HTML
        </button>
      </div>
      <p class="conversation-facts">
        {title !== null && <code>{id}</code>}
        {forkedFrom !== null && (
          <a
            href={linkTo(forkedFrom.conversationId, 'messages', forkedFrom.at)}
          >{`fork of ${forkedFrom.conversationId} at #${forkedFrom.at}`}</a>
        )}
        {parent !== null && (
          <a href={linkTo(parent.conversationId)}>{`sub-agent of ${parent.conversationId}`}</a>
        )}
        <WindowUse live={live} />
        {models.length > 1 ? (
          <label>
            <span class="hidden">Model</span>
            <select
              value={model ?? ''}
              onChange={(event) => live.choose(event.currentTarget.value)}
            >
              {models.map((each) => (
                <option key={each} value={each}>
                  {each}
                </option>
              ))}
            </select>
          </label>
        ) : (
          model !== null && <span class="head-model">{`model ${model}`}</span>
        )}
      </p>
      <nav class="tabs" ref={tabBar} aria-label="Views of the conversation">
        {tabs
          .filter((tab) => tab !== 'chat' || hasChat)
          .map((tab) => (
            <a
              key={tab}
              href={linkTo(id, tab)}
              aria-current={tab === route.tab ? 'page' : undefined}
            >
              {tabNames[tab]}
              {(numbers[tab] ?? 0) > 0 && (
                <span class="tab-count">
                  <span aria-hidden="true">{short(numbers[tab] ?? 0)}</span>
                  <span class="hidden">{`, ${count(numbers[tab] ?? 0, 'item')}`}</span>
                </span>
              )}
            </a>
          ))}
      </nav>
    </header>
  )
}
