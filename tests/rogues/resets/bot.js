// Joins, and opens and resets streams without end, of a service that does not exist, when it should move. Speaks HTTP/2 by hand.
"use strict";
const http2 = require("node:http2");
const net = require("node:net");

const session = http2.connect("http://localhost", {
  createConnection: () => net.connect(process.env.ARENA_ADDRESS.replace(/^unix:/, "")),
});
const call = (path) =>
  session.request({
    ":method": "POST",
    ":path": path,
    "content-type": "application/grpc",
    te: "trailers",
  });

// PlayRequest { events: [BotEvent { join: Join { token } }] }, after the five bytes that gRPC puts before a message.
const field = (number, content) => Buffer.concat([Buffer.from([(number << 3) | 2, content.length]), content]);
const message = field(1, field(2, field(1, Buffer.from(process.env.ARENA_TOKEN))));
const play = call("/arena.v1.RefereeService/Play");
play.write(Buffer.concat([Buffer.from([0, 0, 0, 0, message.length]), message]));

const flood = () => {
  for (let n = 0; n < 100; n++) call("/nobody/Answers").close(http2.constants.NGHTTP2_CANCEL);
  setTimeout(flood, 1);
};
play.once("data", flood);
process.on("uncaughtException", () => {}); // it lives on when it is cut off
setTimeout(() => {}, 600_000);
