// Reads {"pattern", "text"} a line, writes "yes", "no", "invalid" or "unknown" as JSON a line: what this
// engine's own RegExp says, with the u flag, or without it when the pattern is not valid so.
const vm = require("vm");
const readline = require("readline");

const context = vm.createContext({});
const judge = new vm.Script(`
  (() => {
    let regexp;
    try { regexp = new RegExp(pattern, "u"); } catch {
      try { regexp = new RegExp(pattern); } catch { return "invalid"; }
    }
    return regexp.test(text) ? "yes" : "no";
  })()
`);

readline.createInterface({ input: process.stdin }).on("line", (line) => {
  Object.assign(context, JSON.parse(line));
  let verdict;
  try {
    verdict = judge.runInContext(context, { timeout: 1000 });
  } catch {
    verdict = "unknown"; // it ran out of time or stack
  }
  process.stdout.write(JSON.stringify(verdict) + "\n");
});
