/** The tags of an audio file. */
export interface SoundTags {
  title?: string
  artist?: string
  album?: string
  cover?: { type: string; bytes: Uint8Array<ArrayBuffer> } | undefined
}
