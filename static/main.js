// Where the page begins: one session, or several side by side.

const side = new URLSearchParams(location.search).get("side") ?? "";
const ids = side.split(",").filter(Boolean).slice(0, 4);
if (ids.length > 0) void import("./side.js").then(({ startSide }) => startSide(ids));
else void import("./page.js");

export {};
