/** What an audio file says about itself. */
export interface SoundTags {
  title?: string
  artist?: string
  album?: string
  cover?: { type: string; bytes: Uint8Array<ArrayBuffer> } | undefined
}
