/** Sets several fields of a store at once. Unlike `Object.assign` it accepts only fields that the store has. */
export function assign<Store extends object>(
  store: Store,
  ...changes: NoInfer<Partial<Store>>[]
): Store {
  return Object.assign(store, ...changes)
}
