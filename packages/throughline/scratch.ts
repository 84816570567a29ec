import { createThroughline } from './src/throughline.ts'
import { drawContext } from './src/testing/draw-context.ts'
import { fakeClock } from './src/testing/fake-clock.ts'
const models = [{ id: 'm', contextWindowTokens: 4096, tokenizer: 'o200k_base' }] as const
const tl = createThroughline({ models, clock: fakeClock() })
const chat = tl.conversation('c')
const words = ['gate','lamp','yard','fence','barrel','rope','ladder','bucket','wagon','shed']
const filler = (i: number) => `Item ${i}: the ${words[i%10]} beside the ${words[(i*3+1)%10]} was looked at, and somebody will come back to the ${words[(i*7+2)%10]} of row ${i} when there is time for it.`
for (let i=0;i<120;i++) {
  await chat.append([{ role: i%2 ? 'assistant':'user', content: i===20 ? 'The zeppelin lands behind the quarry at nine; bring the orange flag.' : i===21 ? 'Noted: quarry, nine, orange flag.' : filler(i) }])
}
await chat.append([{role:'assistant',content:'ok'}])
for (const q of ['go on', 'thanks', 'Where does the zeppelin land?','What about that?']) {
  const c = await chat.context({ model: 'm', next: { role:'user', content: q } })
  console.log(q, c.epoch, c.brokenBy, c.tokens, c.available); 
  for (const m of c.messages) if (m.slot==='recalled') console.log(JSON.stringify(m))
  if (q.startsWith('Where')) console.log(drawContext(c))
}
