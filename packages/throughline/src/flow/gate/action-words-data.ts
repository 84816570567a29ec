/**
 * The words by which languages report an action as done, those by which they leave it open
 * (proposed, asked for, not yet, failed), and those that only speak. In small letters; a word that
 * ends with a hyphen is the beginning of one. `signs` are of scripts without spaces: theirs have no
 * edges, so they are found anywhere.
 */
export const actionWords = `
  done completed complete finished implemented ready added created fixed saved stored changed
  updated removed deleted moved renamed migrated deployed merged scheduled booked sent wrote
  written built made did found bought sold ran drew chose been was were i've we've
  erledigt fertig gespeichert angelegt erstellt hinzugefügt gelöscht geändert wurde wurden worden
  hat haben terminé- enregistré- créé- ajouté- supprimé- modifié- été fait
  hecho listo guardad- guardó cread- creó añadid- añadió eliminad- eliminó actualizad- ha han
  feito pronto salv- criad- criou adicion- remov- atualiz- foi foram
  fatto salvat- creat- aggiunt- eliminat- aggiornat- stato stata stati state
  gedaan klaar opgeslagen aangemaakt toegevoegd verwijderd heeft hebben werd werden
  сделан- сохран- создан- создал- добав- удал- готово обновил- обновлен-`

export const actionSigns = '已|完成|保存了|创建了|完了|ました|した|했|됐|되었'

/** An English verb in the past tense, without verbs that describe a state. */
export const englishPast =
  '(?!(?:based|related|detailed|named|called|titled|mixed|limited|needed)(?!\\p{L}))[a-z]{2,20}[a-df-z]ed'

export const openWords = `
  propos- suggest- recommend- offer- plan plans planned planning intend- would could should shall
  will await- wait waits waiting pending yet ask- clarif- question- confirm- want- wish- request-
  vorschl- vorgeschlagen schlug empf- angeboten bot soll- würde- könnte- frag- gefragt bestätig-
  wartet bat gebeten bittet wird
  suggér- recommand- offr- demand- attend attente pourrait devrait va
  propon- propus- propuest- sugir- suger- recomend- ofrec- pregunt- pidi- pide solicit- esper-
  podría debería
  propôs sugeriu ofereceu pergunt- pediu aguard- poderia
  propost- sugger- consigli- offert- chiest- chied- attesa conferm- potrebbe
  voorgesteld voorstel- aangeboden gevraagd vroeg wacht bevestig- zou
  предлож- рекоменд- спрос- попрос- запрос- ожида- ждет ждёт подтвержд- планир-
  fail- not can't couldn't didn't doesn't don't hasn't haven't isn't wasn't weren't won't unable
  error- nothing no without
  nicht kein- fehl- échou- pas erreur no falló ningun- não falh- non niet mislukt не ошибк-`

export const openSigns =
  '提议|提出|建议|推荐|询问|请求|要求|等待|确认|计划|想要|希望|失败|未|没|无法|提案|推奨|尋ね|質問|依頼|確認|待ち|予定|求め|失敗|できな|なかった|제안|추천|물었|질문|요청|확인|기다|예정|못|않|실패'

/** Verbs of speaking: the speech itself is the whole action. */
export const speechWords = `
  explain- describ- listed lists answer- summaris- summariz- outlin- discuss- compar- show- present-
  provid- introduc- noted mention- respond- repli- stated greet- erklär- beschr- expliqu- décri-
  explic- descri- spieg- uitgelegd объясн-`

export const speechSigns = '解释|介绍|说明|説明|설명'
