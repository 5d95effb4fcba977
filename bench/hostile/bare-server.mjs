import { createServer } from 'node:http';

/*
 * The process of a server that does nothing. It answers so many requests a second as the gateway did, so that an
 * attacker's client has the same work beside it. Messages: `{perSecond}`; it replies with its port.
 */

const INTERVAL_MS = 10;
const BODY = JSON.stringify({ id: 'resp_none' });
const waiting = [];
let perSecond = 0;
let due = 0;

const server = createServer((request, response) => {
  request.resume();
  waiting.push(response);
});

setInterval(() => {
  due = Math.min(due + (perSecond * INTERVAL_MS) / 1_000, perSecond);
  for (; due >= 1 && waiting.length > 0; due -= 1) {
    waiting.shift().writeHead(429, { 'content-type': 'application/json' }).end(BODY);
  }
}, INTERVAL_MS);

process.on('message', (message) => {
  perSecond = message.perSecond;
  due = 0;
  if (server.listening) process.send(server.address().port);
  else server.listen(0, '127.0.0.1', () => process.send(server.address().port));
});
