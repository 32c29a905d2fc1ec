// Joins, and floods its connection with pings when it should move. Speaks HTTP/2 by hand.
"use strict";
const http2 = require("node:http2");
const net = require("node:net");

const session = http2.connect("http://localhost", {
  createConnection: () => net.connect(process.env.ARENA_ADDRESS.replace(/^unix:/, "")),
});
const call = () =>
  session.request({
    ":method": "POST",
    ":path": "/arena.v1.RefereeService/Play",
    "content-type": "application/grpc",
    te: "trailers",
  });

// PlayRequest { events: [BotEvent { join: Join { token } }] }, after the five bytes that gRPC puts before a message.
const field = (number, content) => Buffer.concat([Buffer.from([(number << 3) | 2, content.length]), content]);
const message = field(1, field(2, field(1, Buffer.from(process.env.ARENA_TOKEN))));
const play = call();
play.write(Buffer.concat([Buffer.from([0, 0, 0, 0, message.length]), message]));

const flood = () => {
  for (let n = 0; n < 10; n++) session.ping(() => {});
  setTimeout(flood, 1);
};
play.once("data", flood);
process.on("uncaughtException", () => {}); // it lives on when it is cut off
setTimeout(() => {}, 600_000);
