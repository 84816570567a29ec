/** What must hold of the tables at any time, in SQL. */
import type { Finding } from '../kernel/finding.ts'
import { rowsOf } from './server.ts'

const rules: Readonly<Record<string, string>> = {
  'gap-in-messages': `SELECT c.id, c.head, count(m.seq) AS messages FROM throughline.conversations c
    LEFT JOIN throughline.messages m ON m.tenant = c.tenant AND m.conversation = c.pk
    WHERE c.fork_pk IS NULL GROUP BY c.id, c.head
    HAVING count(m.seq) <> c.head OR coalesce(max(m.seq) + 1, 0) <> c.head`,
  'gap-in-events': `SELECT c.id, c.events, count(e.number) AS found FROM throughline.conversations c
    LEFT JOIN throughline.events e ON e.tenant = c.tenant AND e.conversation = c.pk
    GROUP BY c.id, c.events
    HAVING count(e.number) <> c.events OR coalesce(max(e.number), 0) <> c.events`,
  duplicates: `SELECT conversation, body, count(*) FROM throughline.messages
    WHERE key IS NOT NULL AND former IS NULL GROUP BY conversation, body HAVING count(*) > 1`,
  'double-summaries': `SELECT conversation, count(*) FROM throughline.derived
    WHERE kind = 'summary' AND label IS NULL
    GROUP BY conversation, body::jsonb -> 'parentId', body::jsonb -> 'added' HAVING count(*) > 1`,
  'rows-without-conversation': `SELECT m.conversation FROM throughline.messages m
    WHERE NOT EXISTS (SELECT 1 FROM throughline.conversations c WHERE c.pk = m.conversation)`,
  'line-after-head': `SELECT c.id FROM throughline.derived d
    JOIN throughline.conversations c ON c.pk = d.conversation
    WHERE d.kind = 'view' AND (d.body::jsonb ->> 'line')::bigint > c.head`,
}

export async function auditTables(url: string): Promise<readonly Finding[]> {
  const findings: Finding[] = []
  for (const [rule, sql] of Object.entries(rules))
    for (const row of await rowsOf(url, sql)) findings.push({ rule, detail: JSON.stringify(row) })
  return findings
}
