// Reads TraceQL queries as a JSON list; prints, for each, where Grafana's own grammar finds an error, or null.
import { text } from "node:stream/consumers";
import { parser } from "@grafana/lezer-traceql";

const queries = JSON.parse(await text(process.stdin));
const errorIn = (query) => {
  let found = null;
  parser.parse(query).iterate({
    enter: (node) => {
      if (node.type.isError && found === null) found = node.from;
    },
  });
  return found;
};
console.log(JSON.stringify(queries.map(errorIn)));
