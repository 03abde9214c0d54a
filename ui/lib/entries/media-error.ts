/** Errors of players. Pure. */

/** Whether the connection broke while a film or recording was loaded; false if it could not be decoded, or not be opened. */
export function isNetworkError(error: MediaError | null): boolean {
  return error !== null && error.code === error.MEDIA_ERR_NETWORK
}
