/** The model that somebody has most likely meant by a name that the catalogue does not know. */
import { findModel, knownModels } from '../models/catalogue.ts'
import { nearest } from './nearest.ts'

/** Null where the name is known, or none is near. */
export function meantModel(name: string): string | null {
  if (findModel(name).match !== 'fallback') return null
  return nearest(name.slice(name.lastIndexOf('/') + 1).toLowerCase(), knownModels)
}
