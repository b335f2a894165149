// Small helpers over the DOM; text goes in as text only.

/**
 * The element with this id, which index.html promises to have.
 * @template {HTMLElement} E
 * @param {string} id
 * @param {new () => E} type
 * @returns {E}
 */
export function byId(id, type) {
  const found = document.getElementById(id);
  if (!(found instanceof type)) throw new Error(`no ${type.name} #${id} in the page`);
  return found;
}

/** @param {Element} node @param {string} text */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/** @param {HTMLElement} node @param {boolean} shown */
export function show(node, shown) {
  if (node.hidden === shown) node.hidden = !shown;
}

/** @param {HTMLElement} node @param {string} name @param {string} value */
export function setData(node, name, value) {
  if (node.dataset[name] !== value) node.dataset[name] = value;
}

/**
 * @param {string} tag
 * @param {string} [className]
 * @param {string} [text]
 * @returns {HTMLElement}
 */
export function make(tag, className = "", text = "") {
  const node = document.createElement(tag);
  if (className) node.className = className;
  if (text) node.textContent = text;
  return node;
}

/**
 * Makes a select offer exactly these options and this choice, touching it only where it differs: an open list stays open.
 * @param {HTMLSelectElement} select
 * @param {{value: string, text: string, disabled?: boolean}[]} options
 * @param {string} chosen
 */
export function fillSelect(select, options, chosen) {
  const wanted = JSON.stringify(options);
  if (select.dataset["options"] !== wanted) {
    select.dataset["options"] = wanted;
    select.replaceChildren(
      ...options.map(({ value, text, disabled }) => {
        const option = new Option(text, value);
        option.disabled = disabled ?? false;
        return option;
      }),
    );
  }
  if (select.value !== chosen) select.value = chosen;
}

/** A style sheet that comes when it is first wanted. @param {string} href @returns {Promise<unknown>} */
export function loadStyle(href) {
  const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href });
  const come = new Promise((done) => {
    link.addEventListener("load", done);
    link.addEventListener("error", done);
  });
  document.head.append(link);
  return come;
}
