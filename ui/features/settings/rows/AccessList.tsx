import type { ReactNode } from 'react'
import { Loading } from '#ui/components/feedback/Loading.tsx'
import { Notice } from '#ui/components/feedback/Notice.tsx'
import { faultText } from '#ui/i18n/faults.ts'
import type { Fault } from '#wire/fault.ts'
import './AccessList.css'

interface AccessListProps<Item> {
  /** Why the items could not be loaded. */
  fault?: Fault | undefined
  /** Undefined while they load. */
  items: readonly Item[] | undefined
  /** Shown if there are none. */
  none?: string
  /** The row of an item, such as an `AccessRow`. */
  children(item: Item): ReactNode
}

/** The list in a group of settings: sessions, app passwords, passkeys, unfinished uploads. */
export function AccessList<Item>({ fault, items, none, children }: AccessListProps<Item>) {
  return (
    <>
      {fault && <Notice tone="danger">{faultText(fault)}</Notice>}
      {!items && !fault && <Loading />}
      {items && (items.length > 0 || none) && (
        <ul className="AccessList">
          {items.map(children)}
          {items.length === 0 && <li className="AccessList__none">{none}</li>}
        </ul>
      )}
    </>
  )
}
