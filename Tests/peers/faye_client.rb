# A client made with Faye's library as it is, as the vendor's web client was: shakes hands over HTTP, selects a transport, subscribes to its user and prints
# what it is told, one line each.
#
#     ruby faye_client.rb http://127.0.0.1:8080/faye/APP APP USER JWT [long-polling]
require 'faye'

url, app, user, jwt, only = ARGV
$stdout.sync = true

# What the vendor's clients put into a subscription.
class Credentials
  def initialize(app, user, jwt)
    @ext = { 'appId' => app, 'appUserId' => user, 'jwt' => jwt }
  end

  def outgoing(message, callback)
    message['ext'] = @ext if message['channel'] == '/meta/subscribe'
    callback.call(message)
  end

  def incoming(message, callback)
    puts "handshake #{message['successful']}" if message['channel'] == '/meta/handshake'
    puts "subscribed #{message['successful']}" if message['channel'] == '/meta/subscribe'
    callback.call(message)
  end
end

EM.run do
  client = Faye::Client.new(url, retry: 0.2)
  client.disable('websocket') if only == 'long-polling'
  client.add_extension(Credentials.new(app, user, jwt))
  client.on('transport:up') { puts 'up' }
  client.on('transport:down') { puts 'down' }
  client.subscribe("/sdk/apps/#{app}/appusers/#{user}") do |message|
    message['events'].each { |event| puts "#{event['type']} #{event.dig('message', 'text')}".strip }
  end
end
