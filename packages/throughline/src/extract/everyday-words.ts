/**
 * English words that any two conversations share, whatever they are about: what people say all
 * the time, and what a summary says of every conversation. Finding one of them proves little.
 */
import { stemmer } from 'stemmer'

const listed = [
  // Nouns of every conversation.
  'answer area aspect case chance change choice comment concern condition context conversation decision detail difference discussion effect end example experience fact feeling form group help hour idea information interest issue item kind level life list lot matter meeting member message minute moment month morning name need night number office opinion option order part people period person place plan point position possibility problem process progress project purpose question reason report request response rest result review role section session set side situation speaker start state status step stuff suggestion summary system task team term thing thought time today tomorrow tonight topic total turn type use user view way week weekend word work world year yesterday assistant participant support value test version file line page note draft',
  // What people do in it.
  'accept achieve act add address advise affect agree aim allow announce appear apply approach argue arrange ask assume attend avoid base become begin believe bring build call care carry cause check choose claim clarify come compare complete conclude confirm consider contact contain continue control cover create deal decide define depend describe determine develop differ discuss do draw emphasize enable encourage end ensure enter establish exist expect explain explore express face fail fall feel figure fill find finish focus follow gain get give go grow handle happen have hear help highlight hold hope identify imagine imply improve include increase indicate inform intend introduce involve join keep know lead learn leave let like listen live look lose love make manage mean measure meet mention miss move need note notice obtain occur offer open order organize pass pay perform plan play point prefer prepare present prevent produce promise propose provide push put raise reach read realize receive recommend reduce refer reflect relate remain remember remind remove repeat replace reply report represent request require resolve respond return run save say see seem select send serve set settle share show sit solve sound speak specify spend stand start stay stop study suggest support suppose take talk tell tend test think thank treat try turn understand update use wait walk want watch wish wonder work worry write summarize',
  // The same in the past, where that is another word.
  'became began brought built came chose dealt drew fell felt found gave given gone got grew heard held kept knew known laid led left lost made meant met paid ran rose said sat saw seen sent shown spent spoke stood taken taught thought told took understood went won wore written wrote',
  // How things are.
  'able actual additional afraid alone already always available aware away back bad basic beautiful best better big bit careful certain clear close common concrete correct current different difficult direct due early easy either else enough entire especially even ever every everybody everyone everything exact extra far fast few final fine finally first former forward free full further future general glad good great half happy hard high however huge important initial instead interesting kind large last late later least less likely little local long low main major many maybe mean minor most mutual near necessary never new next nice normal nothing obvious often okay old open original overall own particular past perfect perhaps personal positive possible potential previous probably proper quick quite rather ready real really recent regular related relevant right same second serious several short significant similar simple single small social something sometimes somewhat soon special specific still strong such suitable sure third though three today together too total true two typical useful usual various various very well whole wide willing wrong yes yet young',
]

const stems: ReadonlySet<string> = new Set(
  listed.flatMap((line) => line.split(' ')).map((word) => stemmer(word)),
)

/** Takes a term of `termsOf`. */
export function isEverydayTerm(term: string): boolean {
  return stems.has(term)
}
