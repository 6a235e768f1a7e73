/** Whether the focus is on nothing that has keys of its own: on a page that was loaded, or that a link led to. */
export const isNowhere = (target: Element) => target === document.body || target.id === 'content'
