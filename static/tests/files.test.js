// The page's own rules about its files: small, plain, nothing inline, nothing from elsewhere, readable colours.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import test from "node:test";

const root = new URL("../", import.meta.url);
const names = readdirSync(root).filter((name) => /\.(js|css|html|svg)$/.test(name));
const text = (name) => readFileSync(new URL(name, root), "utf8");
const scripts = names.filter((name) => name.endsWith(".js"));

/** What a first visit loads: the page, its style sheets, and the scripts that import one another without waiting. */
function loadedAtOnce() {
  const found = new Set(["index.html"]);
  for (const name of found) {
    const links = name.endsWith(".html") ? /(?:src|href)="\/([^"/]+\.[a-z]+)"/g : /^(?:import|export)[^;]*?from "\.\/([^"]+)"/gm;
    for (const [, path] of text(name).matchAll(links)) found.add(path);
  }
  return [...found];
}

test("a first visit loads less than 150 KB, without compression", () => {
  const loaded = loadedAtOnce();
  assert.ok(loaded.includes("screen.js") && loaded.includes("board.css"), "the walk finds scripts and style sheets");
  const bytes = loaded.reduce((sum, name) => sum + Buffer.byteLength(text(name)), 0);
  assert.ok(bytes < 150_000, `${bytes} bytes`);
});

test("every script is short and begins with a line on its job", () => {
  for (const name of scripts) {
    const lines = text(name).split("\n");
    assert.match(lines[0], /^\/\/ [A-Z].*[.;]$/, name);
    assert.ok(lines.length <= 161, `${name} has ${lines.length} lines`);
  }
});

test("text from outside can only go in as text", () => {
  for (const name of scripts) assert.doesNotMatch(text(name), /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b/, name);
});

test("nothing is inline and nothing comes from elsewhere", () => {
  const html = text("index.html");
  assert.doesNotMatch(html, /\sstyle=|\son[a-z]+=|<style|<script(?![^>]*\ssrc=)/);
  for (const name of names.filter((other) => !other.endsWith(".svg"))) assert.doesNotMatch(text(name), /https?:\/\/|\burl\((?!"\/digits\.woff2"\))/, name);
});

test("every file that the page names is there", () => {
  for (const [, path] of text("index.html").matchAll(/(?:src|href)="\/([^"/]+\.[a-z]+)"/g)) assert.ok(names.includes(path), path);
  for (const name of scripts) {
    for (const [, path] of text(name).matchAll(/(?:from|import\()\s*"\.\/([^"]+)"/g)) assert.ok(names.includes(path), `${name}: ${path}`);
  }
});

test("every element that a script looks up is in the page", () => {
  const html = text("index.html");
  for (const name of scripts) {
    for (const [, id] of text(name).matchAll(/byId\("([^"]+)"/g)) assert.ok(html.includes(`id="${id}"`), `${name}: #${id}`);
  }
});

const VALUES = Array.from({ length: 17 }, (_, i) => 2 ** (i + 1));

/** The custom properties of one block, over those of the classic one. */
function palette(selector) {
  const css = text("theme.css") + text("palettes.css");
  const block = (from) => Object.fromEntries([...css.slice(from, css.indexOf("}", from)).matchAll(/--([\w-]+):\s*([^;]+);/g)].map(([, k, v]) => [k, v.trim()]));
  const classic = block(css.indexOf("/* Classic"));
  return selector ? { ...classic, ...block(css.indexOf(selector)) } : classic;
}

function luminance(hex) {
  const parts = [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16) / 255);
  const [r, g, b] = parts.map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a, b) {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

for (const [name, selector] of [["classic", ""], ["colour-blind", '[data-palette="colour-blind"]']]) {
  test(`every tile of the ${name} palette can be read`, () => {
    const colours = palette(selector);
    const inkOf = (value) => {
      const own = colours[`i${value}`] ?? "var(--ink-high)";
      return colours[own.slice(6, -1)];
    };
    for (const value of VALUES) {
      const ratio = contrast(colours[`t${value}`], inkOf(value));
      assert.ok(ratio >= 4.5, `${value}: ${ratio.toFixed(2)}`);
    }
    assert.equal(new Set(VALUES.map((value) => colours[`t${value}`])).size, 17);
  });
}
