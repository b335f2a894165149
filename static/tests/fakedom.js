// As much of a document as the board uses, and a clock that the test turns.

class FakeElement {
  constructor() {
    this.dataset = {};
    this.children = [];
    this.parent = null;
    this.textContent = "";
    this.className = "";
    this.names = new Set();
    this.classList = { add: (name) => this.names.add(name), remove: (name) => this.names.delete(name) };
    this.properties = new Map();
    this.style = { setProperty: (name, value) => this.properties.set(name, value) };
    this.animated = 0;
  }
  get firstElementChild() {
    return this.children[0] ?? null;
  }
  get childElementCount() {
    return this.children.length;
  }
  append(...nodes) {
    for (const node of nodes) {
      node.remove();
      node.parent = this;
      this.children.push(node);
    }
  }
  remove() {
    if (this.parent) this.parent.children = this.parent.children.filter((child) => child !== this);
    this.parent = null;
  }
  replaceChildren(...nodes) {
    for (const child of [...this.children]) child.remove();
    this.append(...nodes);
  }
  animate() {
    this.animated += 1;
    return { cancel: () => {} };
  }
}

/** Puts the document and the clock in place; gives the layer of the board and the clock's hand. */
export function fakeDom() {
  let now = 0;
  let nextId = 1;
  let timers = [];
  globalThis.document = { createElement: () => new FakeElement() };
  globalThis.setTimeout = (act, ms) => {
    timers.push({ id: nextId, at: now + ms, act });
    return nextId++;
  };
  globalThis.clearTimeout = (id) => {
    timers = timers.filter((timer) => timer.id !== id);
  };
  /** @param {number} ms */
  function pass(ms) {
    const end = now + ms;
    for (;;) {
      const due = timers.filter((timer) => timer.at <= end).sort((a, b) => a.at - b.at)[0];
      if (!due) break;
      now = due.at;
      timers = timers.filter((timer) => timer !== due);
      due.act();
    }
    now = end;
  }
  return { layer: new FakeElement(), pass };
}
