/**
 * A query parameter of the files page: other apps have shared files with this one, and they wait
 * until the user chooses a folder. The service worker redirects to it.
 */
export const RECEIVED = 'shared'
